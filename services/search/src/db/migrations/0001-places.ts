import type { Migration } from '@figbase/kit/db'

export const places: Migration = {
  name: '0001-places',
  sql: `
-- Where each indexed object is in the tree.
create table place (
  id uuid constraint place_pkey primary key,
  type text not null,
  workspace_id uuid not null,
  analysis_id uuid,
  item_id uuid,
  hidden_by uuid,
  created_on timestamptz not null,
  -- When catalog was asked: a place that was read earlier does not replace it.
  read_on timestamptz not null default now(),
  changed_on timestamptz not null default clock_timestamp(),
  -- Of a revision: the version that is indexed, 0 if it was being processed, and the number of its texts.
  version int,
  texts int
);
create index place_workspace_idx on place (workspace_id, id);
create index place_analysis_idx on place (analysis_id, id);
create index place_item_idx on place (item_id, id);
create index place_changed_idx on place (changed_on, id) where type = 'figure_revision';
`,
}
