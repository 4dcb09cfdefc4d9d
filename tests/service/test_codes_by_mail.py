"""Games whose secrets stand in the subject: played by mail as any other, and the codes shown to nobody else."""

from __future__ import annotations

import json
import re
from email import message_from_bytes, policy
from email.header import Header
from pathlib import Path
from typing import Any

import pytest
from conftest import NOW, toy_url_unused
