// The search: all words must occur in a section; words of its title count most.
(function () {
	'use strict';
	var input = document.getElementById('search'), found = document.getElementById('found');
	var base = input.dataset.base.replace(/\/$/, '') + '/';
	var sections = null, at = -1;

	// The index comes as a script when the search is first used: pages on a disk cannot fetch
	window.searchIndex = function (docs) {
		var page = '';
		sections = docs.map(function (d) {
			if (d[0].indexOf('#') < 0) page = d[1];
			return { url: d[0], page: page, title: d[1], text: d[2], low: d[2].toLowerCase(),
				lowTitle: d[1].toLowerCase(), whole: d[0].indexOf('#') < 0 };
		});
		show();
	};
	function load() {
		if (sections || document.getElementById('index')) return;
		var script = document.createElement('script');
		script.id = 'index';
		script.src = base + 'search/index.js';
		document.body.appendChild(script);
	}
	function score(section, words) {
		var sum = 0;
		for (var i = 0; i < words.length; i++) {
			var inTitle = section.lowTitle.indexOf(words[i]) >= 0;
			var inPage = section.page.toLowerCase().indexOf(words[i]) >= 0;
			var n = section.low.split(words[i]).length - 1;
			if (!inTitle && !inPage && !n) return 0;
			sum += (inTitle ? 20 : 0) + (inPage ? 4 : 0) + Math.min(n, 5);
			if (section.lowTitle === words[i]) sum += 20;
		}
		// the first section of a page has no text of its own beyond its start
		return sum + (section.whole && section.page.toLowerCase().indexOf(words[0]) === 0 ? 15 : 0);
	}
	function excerpt(text, words) {
		var low = text.toLowerCase(), place = -1;
		words.forEach(function (w) {
			var i = low.indexOf(w);
			if (i >= 0 && (place < 0 || i < place)) place = i;
		});
		var start = Math.max(0, place - 60);
		return (start ? '… ' : '') + text.slice(start, start + 180)
			+ (text.length > start + 180 ? ' …' : '');
	}
	// NODE with TEXT, the words in it marked
	function fill(node, text, words) {
		var pattern = words.map(function (w) {
			return w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		}).join('|');
		text.split(new RegExp('(' + pattern + ')', 'i')).forEach(function (piece, i) {
			var child = i % 2 ? document.createElement('mark') : document.createTextNode(piece);
			if (i % 2) child.textContent = piece;
			node.appendChild(child);
		});
	}
	function show() {
		var words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		found.textContent = '';
		at = -1;
		found.hidden = !words.length;
		if (!words.length || !sections) return;
		var hits = sections.map(function (s) { return [score(s, words), s]; })
			.filter(function (h) { return h[0] > 0; })
			.sort(function (a, b) { return b[0] - a[0]; }).slice(0, 20);
		if (!hits.length) {
			var none = document.createElement('p');
			none.textContent = 'No section has all these words.';
			found.appendChild(none);
		}
		hits.forEach(function (h) {
			var s = h[1], link = document.createElement('a'), title = document.createElement('b');
			var rest = document.createElement('small');
			link.href = base + s.url;
			fill(title, s.whole || s.title === s.page ? s.page : s.page + ' › ' + s.title, words);
			fill(rest, excerpt(s.text, words), words);
			link.appendChild(title);
			link.appendChild(rest);
			link.addEventListener('click', function () { found.hidden = true; });
			found.appendChild(link);
		});
	}
	input.addEventListener('focus', function () { load(); if (input.value) show(); });
	input.addEventListener('input', function () { load(); show(); });
	document.addEventListener('keydown', function (e) {
		var links = found.querySelectorAll('a');
		if (e.key === '/' && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
			e.preventDefault();
			input.focus();
		} else if (e.key === 'Escape') {
			found.hidden = true;
		} else if (!found.hidden && links.length && /^Arrow(Down|Up)$/.test(e.key)) {
			e.preventDefault();
			if (at >= 0) links[at].classList.remove('at');
			at = (at + (e.key === 'ArrowDown' ? 1 : -1) + links.length) % links.length;
			links[at].classList.add('at');
			links[at].scrollIntoView({ block: 'nearest' });
		} else if (e.key === 'Enter' && document.activeElement === input && links.length) {
			links[Math.max(at, 0)].click();
		}
	});
	document.addEventListener('click', function (e) {
		if (!found.contains(e.target) && e.target !== input) found.hidden = true;
	});
	// "?q=words" searches at once
	var q = /[?&]q=([^&]*)/.exec(location.search);
	if (q) {
		input.value = decodeURIComponent(q[1].replace(/\+/g, ' '));
		load();
	}
})();
