import type { Migration } from '@figbase/kit/db'

export const aiTasks: Migration = {
  name: '0006-ai-tasks',
  sql: `
-- The task that writes a story now. Its row goes with the generation_status of the story, when the task ends.
create table story_generation (
  story_id uuid constraint story_generation_pkey primary key
    constraint story_generation_story_fkey references story (id) on delete cascade,
  task_id uuid not null
);

-- Replies to comments that are empty until their task ends.
create table ai_reply (
  -- That of the comment.
  id uuid constraint ai_reply_pkey primary key,
  task_id uuid not null,
  -- Who asked for it.
  username text not null,
  workspace_id uuid not null
);
`,
}
