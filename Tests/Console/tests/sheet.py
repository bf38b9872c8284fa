"""The sheet of colours: every pair of text and ground that the page uses, in both themes, computed from the sheet itself."""
import os
import re

SHEET = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))), "Sources", "Console", "Page", "sheet.css")

PAIRS = [
    *[(text, ground) for text in ("text", "quiet", "accent") for ground in ("ground", "raised", "sunken", "accent-soft")],
    *[("text", ground) for ground in ("chip", "yes-soft", "partly-soft", "no-soft", "hatch")],
    ("quiet", "chip"), ("accent", "chip"), ("ground", "accent"), ("ground", "text"), ("quiet", "hatch"),
    *[(tone, ground) for tone in ("yes", "partly", "no") for ground in (f"{tone}-soft", "ground", "raised")],
    *[(code, ground) for code in ("code-type", "code-text") for ground in ("ground", "raised", "accent-soft")],
    ("on-production", "production"),
]


def colours():
    with open(SHEET) as file:
        found = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", file.read())
    return [{name: pair[theme] for name, *pair in found} for theme in (0, 1)]


def lightness(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return sum(weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4) for weight, part in zip((0.2126, 0.7152, 0.0722), parts))


def contrast(one, other):
    light, dark = sorted((lightness(one), lightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_text_can_be_read_on_its_ground(page):
    for theme, values in zip(("light", "dark"), colours()):
        weak = [f"{text} on {ground} {contrast(values[text], values[ground]):.2f}" for text, ground in PAIRS if contrast(values[text], values[ground]) < 4.5]
        assert not weak, f"{theme}: {weak}"
        # What shows where a field is has 3 : 1.
        assert contrast(values["edge"], values["ground"]) >= 3, f"{theme}: the edge of a field"


def test_a_wrong_sheet_would_be_noticed(page):
    assert contrast("#ffffff", "#000000") > 20 and contrast("#777777", "#ffffff") < 4.5
