export const organizations = {
  name: '0002-organizations',
  sql: `
alter table node add column organization_id uuid;
create index node_organization_idx on node (organization_id, position, created_on, seq)
  where organization_id is not null;
create index node_branch_idx on node ((lineage[2]), type, created_on, seq)
  where cardinality(lineage) > 2;

alter table access_grant add column seq bigint generated always as identity;
drop index access_grant_node_idx;
create index access_grant_node_idx on access_grant (node_id, kind, granted_on, seq);

create table organization (
  node_id uuid constraint organization_pkey primary key,
  logo bytea,
  allow_link_sharing boolean not null default true,
  allow_per_workspace_storage boolean not null default false
);

create table invitation (
  id uuid constraint invitation_pkey primary key,
  seq bigint generated always as identity,
  node_id uuid not null,
  email text not null,
  role text not null,
  invited_by text not null,
  token_hash bytea not null constraint invitation_token_hash_key unique,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null
);
create index invitation_node_idx on invitation (node_id, created_on, seq);
create index invitation_expiry_idx on invitation (expires_on);
`,
}
