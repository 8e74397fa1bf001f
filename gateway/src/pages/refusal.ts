import { html } from '@figbase/kit'
import type { ErrorAnswer } from '../http/errors.js'
import type { Page } from './page.js'
import { signInFor } from './sign-in/next.js'

/** Says what to do; for who did not sign in the same whether something is there or not. */
export function refusalPage({ status, body }: ErrorAnswer, path: string): Page {
  const { title, advice } = words[status] ?? (status < 500 ? words[400] : words[500])
  const isSignInBad = status === 401 && body.code !== 'not_authenticated'
  const more = isSignInBad ? html`<p>${signInBad}</p>` : html``
  const way = status === 401 ? html`<p><a href="${signInFor(path)}">Sign in</a></p>` : html``
  return { title, content: html`<h1>${title}</h1>${more}<p>${advice}</p>${way}` }
}

const signInBad = 'The credentials that came with this request are not valid, or no longer.'

const words: Record<number, { title: string; advice: string }> & {
  400: { title: string; advice: string }
  500: { title: string; advice: string }
} = {
  400: {
    title: 'That did not work',
    advice: 'Something is wrong with this address. Was it copied as a whole?',
  },
  401: {
    title: 'This page is not open to everybody',
    advice:
      'If there is something here, only some people may view it. Sign in as somebody who may view it, or ask its owner to share it by link.',
  },
  403: {
    title: 'You may not view this',
    advice: 'Ask its owner to share it with you, or to share it by link.',
  },
  404: {
    title: 'There is nothing here',
    advice: 'It may have been deleted, or the address may be incomplete: was it copied as a whole?',
  },
  429: { title: 'Too many requests', advice: 'Wait a little, and load this page again.' },
  500: {
    title: 'Something went wrong',
    advice: 'The server could not make this page. Load it again in a while.',
  },
}
