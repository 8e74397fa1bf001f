import { type Html, html } from '@figbase/kit/text'
import type { Texts } from '../texts/texts.js'

/** Text to copy: selectable, and with a button that the script shows (`browser/copy.ts`). */
export const copyable = ({ t }: Texts, label: Html, text: string): Html =>
  html`<div class="copyable"><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>
<button type="button" class="secondary" data-copied="${t('copy.copied')}" hidden>${t('copy.copy')}</button></div>`
