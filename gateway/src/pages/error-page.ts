import { html } from '@figbase/kit/text'
import type { Input } from '../endpoint.js'
import type { ErrorAnswer } from '../http/errors.js'
import { textsOf } from '../texts/texts.js'
import type { Page } from './page.js'
import { signInFor } from './sign-in/next.js'

const statuses = [400, 401, 403, 404, 429, 500] as const

/** The page for an error. For anonymous users it does not reveal whether an object exists. */
export function errorPage(
  { status, body }: ErrorAnswer,
  request: Pick<Input, 'url' | 'headers'>,
): Page {
  const { t } = textsOf(request)
  const kind = statuses.find((one) => one === status) ?? (status < 500 ? 400 : 500)
  const title = t(`error.${kind}.title`)
  const areCredentialsInvalid = status === 401 && body.code !== 'not_authenticated'
  const more = areCredentialsInvalid ? html`<p>${t('error.invalidCredentials')}</p>` : html``
  const way =
    status === 401
      ? html`<p><a href="${signInFor(request.url)}">${t('signIn.title')}</a></p>`
      : html``
  const what = status === 400 ? html`<p class="quiet" lang="en">${body.detail ?? ''}</p>` : html``
  return {
    title,
    content: html`<h1>${title}</h1>${more}${what}<p>${t(`error.${kind}.advice`)}</p>${way}`,
  }
}
