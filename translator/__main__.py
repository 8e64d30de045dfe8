"""`python -m translator`: see `translator.cli.main`."""

import sys

from translator.cli.main import main

sys.exit(main())
