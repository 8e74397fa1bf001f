import type { Generated, GeneratedAlways, Kysely, Selectable, Transaction } from 'kysely'

export type TargetKind = 'figure' | 'figure_revision' | 'asset' | 'asset_revision'

export type TargetTable = {
  id: string
  type: TargetKind
  comments: Generated<number>
  /** Top-level comments. */
  threads: Generated<number>
  content_bytes: Generated<bigint>
}

export type CommentTable = {
  id: string
  seq: GeneratedAlways<bigint>
  target_id: string
  parent_id: string | null
  /** 1: a top-level comment. */
  depth: number
  author: string
  /** Who asked for a reply by AI; null for all other comments. */
  requested_by: string | null
  /** Empty when the comment was deleted. */
  content: string
  is_edited: Generated<boolean>
  /** The row stays as a placeholder while the comment has replies. */
  is_deleted: Generated<boolean>
  created_on: string
  updated_on: string
}

export type ReactionTable = {
  id: string
  seq: GeneratedAlways<bigint>
  comment_id: string
  username: string
  emoji: string
  created_on: Generated<string>
}

export type MentionTable = { comment_id: string; username: string; mailed_on: string | null }

export type Database = {
  target: TargetTable
  comment: CommentTable
  reaction: ReactionTable
  mention: MentionTable
  purge_progress: { is_only: Generated<boolean>; page_token: string }
}

export type Db = Kysely<Database> | Transaction<Database>
export type Tx = Transaction<Database>
/** With the type of its target. */
export type CommentRow = Selectable<CommentTable> & { target_type: TargetKind }
export type ReactionRow = Selectable<ReactionTable>
/** How often users reacted to a comment with an emoji; `own_id`: with the reaction of one of them. */
export type ReactionCountRow = Pick<ReactionRow, 'comment_id' | 'emoji'> & {
  count: number
  own_id: string | null
  usernames: string[]
}
