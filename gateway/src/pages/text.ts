import { markdown } from '@figbase/kit/markdown'
import { type Html, html } from '@figbase/kit/text'
import type { Texts } from '../texts/texts.js'

/** A user-provided name, isolated so that right-to-left text does not affect the text around it. */
export const nameHtml = (text: string): Html => html`<bdi>${text}</bdi>`

type Authored = {
  createdBy: string
  onBehalf?: { name: string } | undefined
}

/** The creator of an object. */
export const creatorHtml = ({ createdBy, onBehalf }: Authored): Html =>
  nameHtml(onBehalf?.name ?? createdBy)

/** User-provided Markdown. */
export const markdownHtml = ({ t }: Texts, text: string): Promise<Html> =>
  markdown(text, { code: t('data.kind.code'), table: t('data.kind.table') })

/** User-provided text as a paragraph; keeps its line breaks. */
export const paragraphHtml = (text: string | undefined): Html =>
  text ? html`<p class="words" dir="auto">${text}</p>` : html``
