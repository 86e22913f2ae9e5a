// What is painted, as SVG.
import { expect, it } from 'vitest';
import { roundLength } from '../../../admin/web/src/map/picture.ts';
import { SvgPainter } from '../../../admin/web/src/map/svg_painter.ts';

const measure = { font: '', measureText: (text: string) => ({ width: text.length * 7 }) as TextMetrics };
function written(paint: (painter: SvgPainter) => void): string[] {
  const painter = new SvgPainter(measure);
  paint(painter);
  return painter.write(40, 30, 'Map').trim().split('\n').slice(2, -1);
}

it('is a file with a size and a title', () => {
  expect(new SvgPainter(measure).write(40, 30, 'A & B')).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="40" height="30" viewBox="0 0 40 30">\n<title>A &amp; B<\/title>/);
});

it('strokes paths with their dashes and how strong they are', () => {
  expect(written((painter) => {
    painter.strokeStyle = '#123456';
    painter.lineWidth = 2.5;
    painter.globalAlpha = 0.35;
    painter.setLineDash([6, 5]);
    painter.beginPath();
    painter.moveTo(1, 2);
    painter.lineTo(3.14159, 4);
    painter.quadraticCurveTo(5, 6, 7, 8);
    painter.stroke();
  })).toEqual(['<path d="M1 2L3.14 4Q5 6 7 8" fill="none" stroke="#123456" stroke-width="2.5" stroke-linecap="butt" stroke-linejoin="miter" stroke-dasharray="6 5" opacity="0.35"/>']);
});

it('fills circles, which are two arcs, and nothing without a path', () => {
  expect(written((painter) => {
    painter.fill();
    painter.beginPath();
    painter.arc(10, 10, 5, 0, 7);
    painter.fill();
  })).toEqual(['<path d="M15 10A5 5 0 0 1 5 10A5 5 0 0 1 15 10" fill="#000"/>']);
});

it('rounds the corners of a box', () => {
  expect(written((painter) => {
    painter.beginPath();
    painter.roundRect(0, 0, 20, 10, 2);
    painter.fill();
  })).toEqual(['<path d="M2 0L18 0A2 2 0 0 1 20 2L20 8A2 2 0 0 1 18 10L2 10A2 2 0 0 1 0 8L0 2A2 2 0 0 1 2 0Z" fill="#000"/>']);
});

it('escapes names, and leaves out what no XML may hold', () => {
  expect(written((painter) => {
    painter.textAlign = 'center';
    painter.textBaseline = 'middle';
    painter.fillText('<b>"A" & B\u0000\ud800</b>', 1, 2);
    painter.fillText('', 1, 2);
  })).toEqual(['<text x="1" y="2" text-anchor="middle" dominant-baseline="central" font-family="sans-serif" font-size="10px" fill="#000">&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;</text>']);
});

it('has fonts as a canvas has them', () => {
  expect(written((painter) => {
    painter.font = '650 12.5px system-ui, sans-serif';
    painter.strokeText('A', 1, 2);
  })).toEqual(['<text x="1" y="2" font-family="system-ui, sans-serif" font-size="12.5px" font-weight="650" fill="none" stroke="#000" stroke-width="1" stroke-linecap="butt" stroke-linejoin="miter">A</text>']);
});

it('a bar of the scale is as long as a round number of metres', () => {
  expect([870, 4999, 21_000, 500].map((most) => roundLength(most).text)).toEqual(['500 m', '3 km', '20 km', '500 m']);
});
