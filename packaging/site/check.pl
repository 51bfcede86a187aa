# check.pl: whether a built site is whole
#
#   perl packaging/site/check.pl FOLDER
#
# Each link leads to a file of the site and to an anchor that it has, and no anchor stands twice on
# a page.  Nothing is fetched from elsewhere, and the search index knows the pages.  Prints what is
# wrong; the last line is "N pages, N links, N failed".
use strict;
use warnings;

use File::Find;

my $root = $ARGV[0] // die "usage: check.pl FOLDER\n";
my (%ids, @pages, $links);
my $failed = 0;

sub wrong { print "$_[0]\n"; $failed++ }

sub slurp
{
	open(my $in, '<:encoding(UTF-8)', $_[0]) or die "$_[0]: $!\n";
	local $/;
	return scalar <$in>;
}

find({ no_chdir => 1, wanted => sub { push @pages, $_ if /\.html$/ && -f } }, $root);
@pages = sort @pages;
my %text = map { $_ => slurp($_) } @pages;
foreach my $page (@pages)
{
	while ($text{$page} =~ /\sid="([^"]*)"/g) { wrong("$page: two anchors #$1")
		if $ids{$page}{$1}++ }
}
foreach my $page (@pages)
{
	my ($folder) = $page =~ m{^(.*)/};
	while ($text{$page} =~ /<(\w+)\b[^>]*?\s(href|src)="([^"]*)"/g)
	{
		my ($tag, $attribute, $link) = ($1, $2, $3);
		$links++;
		if ($link =~ /^(?:\w+:|\/\/)/)
		{
			wrong("$page: <$tag> fetches $link") unless $tag eq 'a' || $link =~ /^data:/;
			next;
		}
		my ($path, $anchor) = $link =~ /^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/;
		my $target = $path eq '' ? $page : "$folder/$path";
		1 while $target =~ s{[^/]+/\.\./|(?<=/)\./}{};
		$target .= '/index.html' if -d $target;
		if (!-f $target) { wrong("$page: no file for $link") }
		elsif (defined $anchor && $target =~ /\.html$/ && !$ids{$target}{$anchor})
			{ wrong("$page: no anchor for $link") }
	}
}
my $nav = $pages[0] ? $text{"$root/index.html"} // '' : '';
my $index = -f "$root/search/index.js" ? slurp("$root/search/index.js") : '';
foreach my $page (@pages)
{
	my $url = substr($page, length($root) + 1);
	wrong("$page: the navigation has no link to it") unless $url =~ /^(?:404|index)\.html$/
		|| $nav =~ /href="\Q$url\E"/;
	wrong("$page: the search does not know it") unless $index =~ /\["\Q$url\E/;
}
foreach my $style (glob("$root/*.css"), glob("$root/*.js"))
{
	wrong("$style fetches from elsewhere") if slurp($style) =~ m{url\(|\@import|https?://};
}
printf "%d pages, %d links, %d failed\n", scalar @pages, $links // 0, $failed;
exit($failed || !@pages);
