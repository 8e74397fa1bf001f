import { type Html, html } from '@figbase/kit/text'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { isVersion, newest, type Version, versions } from '../../versions.js'
import { page } from '../page.js'
import { assetPath, referenceAssets } from './assets.js'

/** The reference of the API, in which requests can be sent. */
const reference = page(
  '/docs/api/',
  async (input) => {
    const { t } = textsOf(input)
    const version = versionOf(input)
    const links = versions.map((one) =>
      one === version
        ? html`<a href="?version=${one}" aria-current="page">${one}</a> `
        : html`<a href="?version=${one}">${one}</a> `,
    )
    return {
      title: t('reference.titleOf', { version }),
      content: html`<h1>${t('reference.title')}</h1>
<nav aria-label="${t('reference.versions')}">${t('reference.version')} ${links}</nav>
<p>${whoOf(input)} ${t('reference.more', {
        document: (text) => html`<a href="/api/${version}/openapi.json">${text}</a>`,
        guide: (text) => html`<a href="/docs/">${text}</a>`,
      })}</p>
<div lang="en" class="reference" id="reference" data-document="/api/${version}/openapi.json"
data-signed-in="${input.username}"></div>
<noscript><p>${t('reference.needsScript')}</p></noscript>`,
      assets: {
        styles: ['swagger-ui.css', 'reference.css'].map(assetPath),
        scripts: ['swagger-ui-bundle.js', 'reference.js'].map(assetPath),
      },
    }
  },
  { query: z.object({ version: z.string().optional() }) },
)

function versionOf({ query }: Input): Version {
  const { version = '' } = query as { version?: string }
  return isVersion(version) ? version : newest
}

function whoOf(input: Input) {
  const { username } = input
  const { t } = textsOf(input)
  if (username) return t('reference.asUser', { name: html`<b>${username}</b>` })
  const link = (text: Html) => html`<a href="/sign-in/?next=/docs/api/">${text}</a>`
  return t('reference.signIn', { link })
}

export const referencePages: Route[] = [reference, referenceAssets]
