import { html } from '@figbase/kit/text'
import type { GitRepository } from '@figbase/proto/git'
import type { Input } from '../../endpoint.js'
import { siteOriginOf } from '../../http/site-origin.js'
import { pushUrlOf } from '../../shapes/git-repository.js'
import { textsOf } from '../../texts/texts.js'
import { copyable } from '../copyable.js'
import { formToken } from '../form.js'
import type { Page } from '../page.js'

/** Shows the webhook of a repository with its secret, which no other page does. */
export function newSecretPage(input: Input, { id, url }: GitRepository, secret: string): Page {
  const texts = textsOf(input)
  const { t } = texts
  return {
    title: t('git.webhook'),
    hasForm: true,
    content: html`<h1>${t('git.webhook')}</h1>
<p class="notice" role="status">${t('git.secretNote', { url: html`<span dir="ltr">${url}</span>` })}</p>
<h2>${t('git.pushUrl')}</h2>
${copyable(texts, t('git.pushUrl'), pushUrlOf(id, siteOriginOf(input)))}
<h2>${t('git.secret')}</h2>
${copyable(texts, t('git.secret'), secret)}
<form class="inline" method="post" action="/git-repository/${id}/">${formToken(input)}<div class="buttons"><button name="action" value="import">${t('git.importNow')}</button><a href="/git-repository/${id}/">${t('git.toRepository')}</a></div></form>`,
  }
}
