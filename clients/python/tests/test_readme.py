"""The examples of README.md print what stands below them."""
import contextlib
import io
import os
import re
import unittest

import support
import probds

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'README.md')


def example(name):
    """Return the program behind a mark, and the block that follows it."""
    with open(README, encoding='utf-8') as file:
        found = re.search(r'^<!-- %s -->\n```python\n(.*?)^```\n\n```\n(.*?)^```$' % name,
                          file.read(), re.M | re.S)
    return found.groups()


class Readme(unittest.TestCase):
    maxDiff = None

    def check(self, program, output):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(program, 'README.md', 'exec'), {})
        self.assertEqual(said.getvalue(), output)

    def test_example(self):
        self.check(*example('example'))

    def test_with_the_library(self):
        if probds.library_version() is None:
            self.skipTest('there is no libprobds')
        self.check(*example('library'))

    def test_with_a_server(self):
        server = support.find_server()
        server.close()
        if server.driver is None:
            self.skipTest('no driver is installed')
        program, output = example('server')
        self.assertIn('import psycopg2 ', program)
        # the same statements with either driver
        self.check(re.sub(r'\bpsycopg2\b', server.name, program), output)


if __name__ == '__main__':
    unittest.main()
