import { html } from '@figbase/kit/text'
import type { ErrorAnswer } from '../http/errors.js'
import type { Page } from './page.js'
import { signInFor } from './sign-in/next.js'

/** The page for an error. For anonymous users it does not reveal whether an object exists. */
export function errorPage({ status, body }: ErrorAnswer, path: string): Page {
  const { title, advice } = messages[status] ?? (status < 500 ? messages[400] : messages[500])
  const areCredentialsInvalid = status === 401 && body.code !== 'not_authenticated'
  const more = areCredentialsInvalid ? html`<p>${invalidCredentials}</p>` : html``
  const way = status === 401 ? html`<p><a href="${signInFor(path)}">Sign in</a></p>` : html``
  return { title, content: html`<h1>${title}</h1>${more}<p>${advice}</p>${way}` }
}

const invalidCredentials = 'Your credentials are invalid or have expired.'

const messages: Record<number, { title: string; advice: string }> & {
  400: { title: string; advice: string }
  500: { title: string; advice: string }
} = {
  400: {
    title: 'Bad request',
    advice: 'The address is not valid. Please check that you copied all of it.',
  },
  401: {
    title: 'Sign in to view this page',
    advice:
      'This page does not exist, or it is not public. Sign in with an account that has access, or ask the owner to share it by link.',
  },
  403: {
    title: 'Access denied',
    advice: 'You do not have access to this page. Ask the owner to share it with you, or by link.',
  },
  404: {
    title: 'Page not found',
    advice:
      'It may have been deleted, or the address may be incomplete. Please check that you copied all of it.',
  },
  429: { title: 'Too many requests', advice: 'Please wait a moment, then reload this page.' },
  500: {
    title: 'Something went wrong',
    advice: 'The server could not load this page. Please try again later.',
  },
}
