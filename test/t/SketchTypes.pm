# What several tests share: the sketch types, as test/types/types.sql has them, and functions.
package SketchTypes;
use strict;
use warnings;

use File::Basename qw(dirname);

# sketch_types(NODE, DATABASE): a hash of type => { column of types.sql => value }, of the types
# that the extension has in that database.  A column that is NULL is not there.
sub sketch_types
{
	my ($node, $database) = @_;
	my $table = dirname(__FILE__) . '/../types/types.sql';
	my %types;

	foreach (split /\n/, $node->safe_psql($database, qq(\\i $table
SELECT type || E'\\t' || key || E'\\t' || value FROM types, jsonb_each_text(to_jsonb(types))
WHERE value IS NOT NULL)))
	{
		my ($type, $key, $value) = split /\t/;
		$types{$type}{$key} = $value;
	}
	die "no types in $table" if !%types;
	return %types;
}

# agg(TYPE, VALUE, PARAMETERS): an aggregate of the values; parameters are "usual", "large", "other"
sub agg
{
	my ($type, $value, $parameters) = @_;
	return "$type->{type}_agg($value, $type->{$parameters})";
}

# growing(TYPES): the names of those that can be added to and merged, in order
sub growing
{
	my ($types) = @_;
	return grep { $types->{$_}{fixed} !~ /^t/ } sort keys %$types;
}

# numbers(TYPE): does it take numbers only?
sub numbers
{
	my ($type) = @_;
	return ($type->{numbers} // 'false') =~ /^t/;
}

# create_buffers(NODE, DATABASE): there the extension, and a function buffers(query): how many
# buffers a query needs
sub create_buffers
{
	my ($node, $database) = @_;

	$node->safe_psql(
		$database, q(
CREATE EXTENSION probds;
CREATE FUNCTION buffers(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT json) ' || query INTO plan;
    plan := plan -> 0 -> 'Plan';
    RETURN (plan ->> 'Shared Hit Blocks')::int + (plan ->> 'Shared Read Blocks')::int;
END
$$;
));
	return;
}

1;
