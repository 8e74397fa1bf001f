import type { NotificationKind } from '../domain/notification-settings.js'

export type Noun =
  | 'organization'
  | 'workspace'
  | 'analysis'
  | 'figure'
  | 'asset'
  | 'revision'
  | 'story'
  | 'task'
  /** A revision whose name the recipient may not know. */
  | 'unnamed'

/** What a mail says about a notification, or an entry of the activity log. */
export type Notice = {
  kind: NotificationKind | 'activity'
  /** Of an entry of the activity log. */
  action?: string
  /** The display name of who caused it; empty: nobody. */
  actor: string
  noun: Noun
  /** Of a revision, that of its figure or asset. */
  name: string
  /** The comment, or the error of a task. */
  text: string
  /** The page of the object; undefined: it has none. */
  url: string | undefined
}

/** The addresses at the end of a mail. */
export type MailLinks = { settingsUrl: string; unsubscribeUrl: string }
