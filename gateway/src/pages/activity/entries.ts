import { type Html, html } from '@figbase/kit/text'
import type { ActivityEntry } from '@figbase/proto/catalog'
import { noteIn } from '../../shapes/activity.js'
import type { MessageKey, Texts } from '../../texts/texts.js'
import { kindOf, kinds, pagePath } from '../kinds.js'
import { nameHtml } from '../text.js'

/** The sentences, by action. */
const sentences: Record<string, MessageKey> = {
  create: 'activity.create',
  update: 'activity.update',
  move: 'activity.move',
  delete: 'activity.delete',
  restore: 'activity.restore',
  comment_create: 'activity.comment',
  comment_update: 'activity.commentUpdate',
  comment_delete: 'activity.commentDelete',
}

/** Entries as sentences, with the workspace if it is known. */
export const entryList = (texts: Texts, entries: ActivityEntry[]): Html =>
  entries.length > 0
    ? html`<ul class="rows">${entries.map((entry) => item(texts, entry))}</ul>`
    : html`<p class="empty">${texts.t('activity.none')}</p>`

function item({ t, dateTime }: Texts, entry: ActivityEntry): Html {
  const { actor, action, targetId: id, targetType: type, targetName, targetDeleted, at } = entry
  const kind = t(kindOf(type).name)
  const name = targetName ? nameHtml(targetName) : kind
  const target = targetDeleted ? name : html`<a href="${pagePath({ id, type })}">${name}</a>`
  const { note, reason } = noteIn(entry)
  const names = { actor: nameHtml(actor), kind, target }
  const sentence =
    note === 'still_right'
      ? t('activity.stillRight', { ...names, reason: reason ?? '' })
      : t(sentences[action] ?? 'activity.update', names)
  return html`<li><span>${sentence}</span> <span class="quiet">${workspaceOf(entry)}${dateTime(at)}</span></li>`
}

function workspaceOf({ workspaceId: id, workspaceName, targetId }: ActivityEntry) {
  if (!id || id === targetId) return html``
  const href = pagePath({ id, type: kinds.workspace.type })
  return html`<a href="${href}">${nameHtml(workspaceName)}</a> · `
}
