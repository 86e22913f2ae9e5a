// How far the journal was when this browser was on the start page before: what is newer is shown there.
// A visit is a tab: as long as it is open, the visit before it stays the same.
export interface Visit {
  lsn: number;
  time: string;
}

const keyOf = (account: string) => `netml-visit:${account}`;

// Null on the first visit, and where the browser keeps nothing.
export function visitBefore(account: string): Visit | null {
  try {
    const key = keyOf(account);
    const before = sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? 'null';
    sessionStorage.setItem(key, before);
    return visitOf(before);
  } catch {
    return null;
  }
}

// After visitBefore().
export function keepVisit(account: string, visit: Visit): void {
  try {
    localStorage.setItem(keyOf(account), JSON.stringify(visit));
  } catch {
    // The next visit counts as the first.
  }
}

function visitOf(text: string): Visit | null {
  const visit = JSON.parse(text) as Partial<Visit> | null;
  return typeof visit?.lsn === 'number' && typeof visit.time === 'string' ? { lsn: visit.lsn, time: visit.time } : null;
}
