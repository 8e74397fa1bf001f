import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../endpoint.js'
import { textsOf } from '../texts/texts.js'

/**
 * The link to the next page of a list, if there is one; `kept` are other parameters of the list. `name` is that of the
 * parameter, if the page has several lists, and `hash` leads to the list.
 */
export function nextLink(
  input: Input,
  cursor: string,
  kept: Record<string, string> = {},
  name = 'cursor',
  hash = '',
): Html {
  if (cursor === '') return html``
  const [path = ''] = input.url.split('?')
  const href = `${path}?${new URLSearchParams({ ...kept, [name]: cursor })}${hash}`
  return html`<p class="way"><a rel="next" href="${href}">${textsOf(input).t('list.next')}</a></p>`
}
