# pictures.pl FILE...: the texts of SVGs that packaging/site draws stay in the frame; see
# pictures.sh
use strict;
use warnings;
use open qw(:std :encoding(UTF-8));

# How wide DejaVu Sans draws ASCII from the space on, in hundredths of the size; and bold
my @plain = qw(
	32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64
	64 64 34 34 84 84 84 53 100 68 69 70 77 63 58 77 75 29 29 66 56 86 75 79
	60 79 69 63 61 73 68 99 69 61 69 39 34 39 84 50 50 61 63 55 63 62 35 63
	63 28 28 58 28 97 63 61 63 63 41 52 39 63 59 82 59 59 52 64 34 64 84
);
my @bold = qw(
	35 46 52 84 70 100 87 31 46 46 52 84 38 42 38 37 70 70 70 70 70 70 70 70
	70 70 40 40 84 84 84 58 100 77 76 73 83 68 68 82 84 37 37 77 64 100 84 85
	73 85 77 72 68 81 77 110 77 72 73 46 37 46 84 50 50 67 72 59 72 68 44 72
	71 34 34 67 34 104 71 69 72 72 49 60 48 71 65 92 65 65 58 71 37 71 84
);
# of the mono-spaced one, and of all that is not ASCII (at most)
use constant { MONO => 0.61, OTHER => 1 };
# what stays free at the edges
use constant MARGIN => 8;

my @outside;
my $texts = 0;
foreach my $file (@ARGV)
{
	open(my $in, '<', $file) or die "$file: $!\n";
	my $svg = do { local $/; <$in> };
	my ($frame) = $svg =~ /viewBox="0 0 (\d+) /;
	while ($svg =~ m{<text ([^>]*)>([^<]*)</text>}g)
	{
		my ($given, $text) = ($1, $2);
		my %of = $given =~ /([\w-]+)="([^"]*)"/g;
		my %char = (lt => '<', gt => '>', amp => '&', quot => '"');
		$text =~ s/&(\w+);/$char{$1}/g;
		my $width = 0;
		foreach my $c (map { ord } split //, $text)
		{
			$width += $of{'font-family'} ? MONO
			  : $c < 32 || $c > 126 ? OTHER
			  : ($of{'font-weight'} ? \@bold : \@plain)->[ $c - 32 ] / 100;
		}
		$width *= $of{'font-size'} // 15;
		$width = $of{textLength} if $of{textLength};
		my $before = { middle => 0.5, end => 1 }->{ $of{'text-anchor'} // '' } // 0;
		my ($left, $right) = ($of{x} - $before * $width, $of{x} + (1 - $before) * $width);
		$texts++;
		next if $left >= MARGIN && $right <= $frame - MARGIN;
		push @outside, sprintf '%s: from %d to %d of %d: %s', $file, $left, $right, $frame, $text;
	}
}
push @outside, 'no texts found' if $texts == 0;
print @outside ? 'not ok' : 'ok', " - pictures: each text is in its frame\n";
print "#   $_\n" foreach @outside;
exit(@outside > 0);
