import type { Migration } from '@figbase/kit/db'

/** Moves and restorations of the last hours, whose effect an index may not know yet. */
export const recentPlacements: Migration = {
  name: '0017-recent-placements',
  sql: `
create table recent_placement (
  id bigint generated always as identity constraint recent_placement_pkey primary key,
  node_id uuid not null,
  placed_on timestamptz not null default now()
);
create index recent_placement_time_idx on recent_placement (placed_on);
`,
}
