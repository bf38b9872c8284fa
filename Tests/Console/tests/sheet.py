"""What the page's files say by themselves: colours that can be read, modules that are asked for at once, nothing from elsewhere."""
import gzip
import os
import re

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))), "Sources", "Console", "Page")
SHEET = os.path.join(FOLDER, "sheet.css")
COMPRESSED_BYTES_MAX = 200_000

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


def imports(name, seen):
    """The modules that a module needs before it runs, and theirs."""
    with open(os.path.join(FOLDER, name)) as file:
        for one in re.findall(r'^import (?:[^;]*? from )?"([^"]+)";', file.read(), re.M):
            path = os.path.normpath(os.path.join(os.path.dirname(name), one))
            if path not in seen:
                seen.add(path)
                imports(path, seen)
    return seen


def test_the_modules_of_the_frame_are_asked_for_at_once(page):
    with open(os.path.join(FOLDER, "index.html")) as file:
        named = set(re.findall(r'rel="modulepreload" href="@BASE@/([^"]+)"', file.read()))
    wanted = imports("main.js", set())
    assert named == wanted, f"missing {sorted(wanted - named)}, too many {sorted(named - wanted)}"


def files():
    for folder, _, names in os.walk(FOLDER):
        for name in names:
            yield os.path.join(folder, name)


def test_all_of_it_is_small(page):
    size = 0
    for path in files():
        with open(path, "rb") as file:
            size += len(gzip.compress(file.read(), 9))
    assert size <= COMPRESSED_BYTES_MAX, size


def test_nothing_is_asked_from_elsewhere_and_nothing_is_markup(page):
    wrong = []
    for path in files():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for bad in (r'(?:src|href|from|import)\s*[=(]?\s*["\']https?://', r"\.innerHTML\s*=", r"\.outerHTML\s*=", r"insertAdjacentHTML", r"document\.write", r"\beval\(", r"new Function\(", r"<[^>]+\sstyle=", r"<[^>]+\son[a-z]+="):
            if re.search(bad, text):
                wrong.append((os.path.relpath(path, FOLDER), bad))
    assert not wrong, wrong
