// What the map is drawn with: a canvas, or what writes a file that looks alike (svg_painter.ts).
export type Painter = Pick<CanvasRenderingContext2D,
  'beginPath' | 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'arc' | 'closePath' | 'roundRect' | 'fill' | 'stroke' | 'fillRect' | 'fillText' | 'strokeText'
  | 'measureText' | 'setLineDash' | 'strokeStyle' | 'fillStyle' | 'lineWidth' | 'lineCap' | 'lineJoin' | 'globalAlpha' | 'font' | 'textAlign' | 'textBaseline'>;
