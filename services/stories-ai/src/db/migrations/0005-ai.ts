import type { Migration } from '@figbase/kit/db'

export const ai: Migration = {
  name: '0005-ai',
  sql: `
-- Requests to a language model that are not settled yet, with an estimate of their tokens.
create table ai_request (
  id uuid constraint ai_request_pkey primary key,
  -- The workspace, or the organization whose plan applies to it.
  holder_id uuid not null,
  workspace_id uuid not null,
  organization_id uuid,
  username text not null,
  model text not null,
  route text not null,
  -- The first day of its month, in UTC.
  month date not null,
  -- What was sent; counts against the quota until the request is settled.
  input_tokens int not null,
  -- What was received so far.
  output_tokens int not null default 0,
  -- Extended while the request runs. A later one belongs to a process that ended.
  expires_on timestamptz not null
);
create index ai_request_expires_idx on ai_request (expires_on);

-- The settled requests.
create table ai_usage (
  workspace_id uuid not null,
  month date not null,
  username text not null,
  organization_id uuid,
  model text not null,
  route text not null,
  requests int not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  -- The part of the tokens that no provider reported.
  estimated_tokens bigint not null,
  constraint ai_usage_key unique nulls not distinct
    (workspace_id, month, username, organization_id, model, route)
);
create index ai_usage_organization_idx on ai_usage (organization_id, month) where organization_id is not null;
create index ai_usage_username_idx on ai_usage (username, month);

-- The tokens of the holder of a plan in a month.
create table ai_quota (
  holder_id uuid not null,
  month date not null,
  used_tokens bigint not null default 0,
  -- Of requests that are not settled.
  reserved_tokens bigint not null default 0,
  constraint ai_quota_pkey primary key (holder_id, month)
);

-- Answers by the hash of everything that was sent, so that they are valid for everybody who may send it.
create table ai_answer (
  -- Empty: for all requests; else the task whose steps these are.
  scope text not null,
  hash text not null,
  -- The version of the prompt.
  prompt text not null,
  response text not null,
  created_on timestamptz not null default now(),
  constraint ai_answer_pkey primary key (scope, hash)
);
create index ai_answer_created_idx on ai_answer (created_on);
`,
}
