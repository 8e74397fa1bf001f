import type { Migration } from '@figbase/kit/db'

export const places: Migration = {
  name: '0001-places',
  sql: `
create sequence place_seq;

-- Where each indexed object is in the tree.
create table place (
  id uuid constraint place_pkey primary key,
  type text not null,
  workspace_id uuid not null,
  analysis_id uuid,
  item_id uuid,
  hidden_by uuid,
  created_on timestamptz not null,
  seq bigint not null default nextval('place_seq')
);
create index place_workspace_idx on place (workspace_id, id);
create index place_analysis_idx on place (analysis_id, id);
create index place_item_idx on place (item_id, id);
create index place_seq_idx on place (seq);
`,
}
