"""The order desk: what one seat may order at one moment, as one HTML file that writes its letter."""

from pbem.render.orderdesk.form import Choice, Form, Head, Kept, Part, Question, Unit, Verb
from pbem.render.orderdesk.page import html

__all__ = ["Choice", "Form", "Head", "Kept", "Part", "Question", "Unit", "Verb", "html"]
