import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../endpoint.js'

/** Tells a password manager whose password a form asks for. Nothing reads it. */
export const ownUsername = ({ username }: Pick<Input, 'username'>): Html =>
  html`<input name="username" value="${username}" autocomplete="username" hidden="" readonly="">`
