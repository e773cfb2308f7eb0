"""Curves, plots as SVG and tables of results, for the run scripts of this folder."""
import csv
import subprocess

colours = ["#1f6fb4", "#d9622b", "#2f9e5b", "#8a5fbf", "#b8912f", "#555555"]


def curve(path):
    """Points of a file of two columns; lines of # and of words are left out."""
    points = []
    for line in path.read_text().splitlines():
        try:
            points.append(tuple(float(word) for word in line.split(",")[:2]))
        except ValueError:
            pass
    return points


def ticks(low, high):
    """About six round numbers between low and high."""
    steps = [n * 10.0 ** k for k in range(-6, 6) for n in (1, 2, 5)]
    step = next(s for s in steps if (high - low) / s <= 8)
    first = int(low / step + (0.999 if low > 0 else 0))
    return [k * step for k in range(first, int(high / step) + 1)]


class Plot:
    """Curves and dots as an SVG file."""
    width, height, left, bottom = 640, 400, 70, 52

    def __init__(self, title, x, y, x_range, y_range):
        self.title, self.x, self.y, self.x_range, self.y_range = title, x, y, x_range, y_range
        self.parts, self.labels = [], []

    def at(self, x, y):
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        return (self.left + (x - x0) / (x1 - x0) * (self.width - self.left - 16),
                self.height - self.bottom - (y - y0) / (y1 - y0) * (self.height - self.bottom - 34))

    def inside(self, points):
        return [p for p in points if self.x_range[0] <= p[0] <= self.x_range[1] and self.y_range[0] <= p[1] <= self.y_range[1]]

    def line(self, points, label, dashed=False):
        colour = colours[len(self.labels) % len(colours)]
        way = " ".join("%.1f,%.1f" % self.at(*p) for p in self.inside(points))
        dash = ' stroke-dasharray="6 4"' if dashed else ""
        self.parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>')
        self.labels.append((label, colour))

    def dots(self, points, label, radius=3.5):
        colour = colours[len(self.labels) % len(colours)]
        self.parts += ['<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"/>' % (*self.at(*p), radius, colour) for p in self.inside(points)]
        self.labels.append((label, colour))

    def band(self, low, high):
        (x0, y0), (x1, y1) = self.at(self.x_range[0], high), self.at(self.x_range[1], low)
        self.parts.insert(0, f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{x1 - x0:.1f}" height="{y1 - y0:.1f}" fill="#e8e8dc"/>')

    def axes(self):
        parts = []
        for x in ticks(*self.x_range):
            px, py = self.at(x, self.y_range[0])
            parts.append(f'<line x1="{px:.1f}" y1="{py:.1f}" x2="{px:.1f}" y2="{py + 5:.1f}" stroke="black"/>'
                         f'<text x="{px:.1f}" y="{py + 19:.1f}" text-anchor="middle">{x:.4g}</text>')
        for y in ticks(*self.y_range):
            px, py = self.at(self.x_range[0], y)
            parts.append(f'<line x1="{px - 5:.1f}" y1="{py:.1f}" x2="{px:.1f}" y2="{py:.1f}" stroke="black"/>'
                         f'<text x="{px - 8:.1f}" y="{py + 4:.1f}" text-anchor="end">{y:.4g}</text>')
        (x0, y0), (x1, y1) = self.at(self.x_range[0], self.y_range[1]), self.at(self.x_range[1], self.y_range[0])
        parts.append(f'<rect x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}" fill="none" stroke="black"/>')
        parts.append(f'<text x="{(x0 + x1) / 2}" y="{self.height - 10}" text-anchor="middle">{self.x}</text>')
        parts.append(f'<text transform="translate(16 {(y0 + y1) / 2}) rotate(-90)" text-anchor="middle">{self.y}</text>')
        parts.append(f'<text x="{(x0 + x1) / 2}" y="20" text-anchor="middle" font-weight="bold">{self.title}</text>')
        return parts

    def legend(self):
        return [f'<rect x="{self.left + 12}" y="{46 + 17 * k}" width="14" height="4" fill="{c}"/>'
                f'<text x="{self.left + 32}" y="{53 + 17 * k}">{label}</text>' for k, (label, c) in enumerate(self.labels)]

    def save(self, path):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" font-size="12">'
        white = f'<rect width="{self.width}" height="{self.height}" fill="white"/>'
        path.write_text("\n".join([head, white, *self.parts, *self.axes(), *self.legend(), "</svg>"]) + "\n")


def table(path):
    """The results of a validation in Markdown."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lines = ["| case | number | seen | from | to |", "|---|---|---|---|---|"]
    for row in rows:
        seen = row["value"] if row["right"] == "yes" else f"**{row['value']}**"
        lines.append(f"| {row['case']} | {row['what']} | {seen} | {row['low']} | {row['high']} |")
    return "\n".join(lines) + "\n"


def run_cases(folder, program):
    """Builds and runs `program FILE`, and writes its table into the README.md of the folder. The status of the program."""
    root = folder.parent.parent
    results = folder / "results.csv"
    subprocess.run([root / "scripts/build", "release", program], check=True)
    status = subprocess.run([root / "build/release/bin" / program, results], check=False).returncode
    readme = folder / "README.md"
    readme.write_text(readme.read_text().split("## Results")[0] + "## Results\n\n" + table(results))
    return status
