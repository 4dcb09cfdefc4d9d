"""Pages with a map that open from disk: what the replay and the order desk share.

A page is one HTML file: style, script and data stand in it, a policy forbids everything else, and its
drawing is in colours that are CSS variables, so that it serves light and dark.
"""

from pbem.render.web.shell import OnPage, as_json, environment, policy, script_of

__all__ = ["OnPage", "as_json", "environment", "policy", "script_of"]
