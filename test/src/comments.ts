import { type Client, either } from './client.js'

export type TargetType = 'figure' | 'figure_revision' | 'asset' | 'asset_revision'

export interface Comment {
  id: string
  user: { username: string; first_name: string; avatar: string | null }
  content: string
  parent_comment_id: string | null
  target_type: TargetType
  target_id: string
  is_edited: boolean
  is_deleted: boolean
  created_on: string
  updated_on: string
}

export interface Reaction {
  id: string
  comment_id: string
  user: { username: string }
  emoji: string
}

export const commentsPath = (target_type: TargetType, target_id: string): string =>
  `comment/?target_type=${target_type}&target_id=${target_id}`

export async function listComments(me: Client, type: TargetType, id: string): Promise<Comment[]> {
  return (await me.get<Comment[]>(commentsPath(type, id))).body
}

export async function newComment(
  me: Client,
  target_type: TargetType,
  target_id: string,
  content = 'A comment',
  parent_comment_id?: string,
): Promise<Comment> {
  const body = { target_type, target_id, content, parent_comment_id }
  return (await me.post<Comment>('comment/', body, 201)).body
}

export async function newReaction(me: Client, comment_id: string, emoji = '👍'): Promise<Reaction> {
  return (
    await me.post<Reaction>(
      'reaction/',
      { comment_id, emoji },
      either('it may already exist', 200, 201),
    )
  ).body
}
