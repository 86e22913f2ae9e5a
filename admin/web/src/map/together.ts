// Two maps that show the same part of the world: whichever is moved, the other follows at once.
import type L from 'leaflet';

// What stands still again is returned.
export function moveTogether(one: L.Map, other: L.Map): () => void {
  let isFollowing = false; // a map that follows moves, too
  const leads = (leader: L.Map, follower: L.Map) => () => {
    if (isFollowing) return;
    isFollowing = true;
    follower.setView(leader.getCenter(), leader.getZoom(), { animate: false });
    isFollowing = false;
  };
  const [oneLeads, otherLeads] = [leads(one, other), leads(other, one)];
  one.on('move', oneLeads);
  other.on('move', otherLeads);
  return () => {
    one.off('move', oneLeads);
    other.off('move', otherLeads);
  };
}
