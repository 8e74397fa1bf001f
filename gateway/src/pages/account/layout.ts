import { type Html, html } from '@figbase/kit/text'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { type Problem, problemNote } from '../form-problem.js'
import type { Page } from '../page.js'

export const accountPath = '/account/'

/** The sections of an account, by path. */
const sections: [string, MessageKey][] = [
  [accountPath, 'account.profile'],
  [`${accountPath}notifications/`, 'notifications.title'],
  [`${accountPath}password/`, 'account.password'],
  [`${accountPath}api-keys/`, 'apiKeys.title'],
  [`${accountPath}ssh-keys/`, 'sshKeys.title'],
  [`${accountPath}sessions/`, 'sessions.title'],
  [`${accountPath}usage/`, 'usage.own'],
  [`${accountPath}data/`, 'accountData.title'],
]

type Section = { path: string; content: Html; problem?: Problem; done?: MessageKey | undefined }

/** A page of the account: the navigation, the title of its section, an error or what was done, and the content. */
export function accountPage(input: Input, { path, content, problem, done }: Section): Page {
  const { t } = textsOf(input)
  const title = t(sections.find(([one]) => one === path)?.[1] ?? 'account.title')
  return {
    ...(problem && { status: problem.status }),
    title,
    hasForm: true,
    content: html`<div class="tabs"><nav aria-label="${t('account.title')}">${sections.map(
      ([to, name]) =>
        html`<a href="${to}"${to === path ? html` aria-current="page"` : html``}>${t(name)}</a>`,
    )}</nav>
<form method="post" action="/sign-out/"><button class="secondary">${t('signIn.signOut')}</button></form></div>
<h1>${title}</h1>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}${content}`,
  }
}

/** The query of a page that says what its form has done. */
export const doneQuery = { query: z.object({ done: z.string().optional() }) }

/** The message of `?done=`, if there is one. */
export const doneOf = (
  { query }: Input,
  messages: Record<string, MessageKey>,
): MessageKey | undefined => messages[(query as { done?: string }).done ?? '']
