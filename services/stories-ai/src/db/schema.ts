import type { Generated, GeneratedAlways, Kysely, Selectable, Transaction } from 'kysely'

export type GenerationStatus = 'generating' | 'refining'

export type StoryTable = {
  id: string
  /** The current version of its content. */
  version: number
  /** Of all saved versions. */
  size_bytes: bigint
  generation_status: GenerationStatus | null
  revisions_visible: Generated<boolean>
  /** The told revisions that readers see through the story, and who opened each: a JSON object. */
  opened: Generated<string>
  created_by: string
  created_on: string
  /** For the activation in catalog. */
  is_silent: boolean
  is_activated: Generated<boolean>
}

export type StoryVersionTable = {
  story_id: string
  version: number
  name: string
  description: string | null
  revision_ids: string[]
  /** JSON of the slides in their order. */
  slides: string
  size_bytes: bigint
  saved_by: string
  saved_on: string
}

/** Committed updates that catalog may not know yet; the id is that of catalog's reservation. */
export type StoryUpdateTable = {
  id: string
  seq: GeneratedAlways<bigint>
  story_id: string
  author: string
  is_silent: boolean
  /** For the activity entry. */
  note: string
}

export type ExportFormatName = 'markdown' | 'pptx' | 'pdf'

/** A file of a story, for its owner. */
export type StoryExportTable = {
  id: string
  story_id: string
  owner: string
  format: ExportFormatName
  created_on: Generated<string>
  /** Null until the file is stored, like the next ones. */
  size_bytes: bigint | null
  file_name: string | null
  /** Those whose content the file shows. */
  revision_ids: string[] | null
}

export type AiRequestTable = {
  id: string
  holder_id: string
  workspace_id: string
  organization_id: string | null
  username: string
  model: string
  route: string
  month: string
  input_tokens: number
  output_tokens: Generated<number>
  expires_on: string
}

/** Settled requests to language models. */
export type AiUsageTable = {
  workspace_id: string
  month: string
  username: string
  organization_id: string | null
  model: string
  route: string
  requests: number
  input_tokens: bigint
  output_tokens: bigint
  /** The part of the tokens that no provider reported. */
  estimated_tokens: bigint
}

export type AiQuotaTable = {
  holder_id: string
  month: string
  used_tokens: Generated<bigint>
  /** Of requests that are not settled. */
  reserved_tokens: Generated<bigint>
}

export type AiAnswerTable = {
  /** Empty: for all requests; else the task whose steps these are. */
  scope: string
  hash: string
  prompt: string
  response: string
  created_on: Generated<string>
}

/** The task that writes a story now. */
export type StoryGenerationTable = { story_id: string; task_id: string }

/** A reply to a comment that is empty until its task ends. */
export type AiReplyTable = { id: string; task_id: string; username: string; workspace_id: string }

export type Database = {
  story: StoryTable
  story_version: StoryVersionTable
  story_update: StoryUpdateTable
  story_export: StoryExportTable
  ai_request: AiRequestTable
  ai_usage: AiUsageTable
  ai_quota: AiQuotaTable
  ai_answer: AiAnswerTable
  story_generation: StoryGenerationTable
  ai_reply: AiReplyTable
  purge_progress: { is_only: Generated<boolean>; page_token: string }
}

export type Db = Kysely<Database> | Transaction<Database>
export type Tx = Transaction<Database>
export type StoryRow = Selectable<StoryTable>
export type VersionRow = Selectable<StoryVersionTable>
export type ExportRow = Omit<Selectable<StoryExportTable>, 'created_on'>
