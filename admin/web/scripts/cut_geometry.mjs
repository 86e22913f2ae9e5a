// Shapes cut at the antimeridian, so that no line runs across the whole map.
import { geoEquirectangular } from 'd3-geo';
import { geoProject } from 'd3-geo-projection';

const radiansToDegrees = 180 / Math.PI;

// An equirectangular projection that answers degrees, with latitudes negated: projecting with it only cuts.
export const cut = (geometry) =>
  geoProject(geometry, geoEquirectangular().scale(radiansToDegrees).translate([0, 0]));
