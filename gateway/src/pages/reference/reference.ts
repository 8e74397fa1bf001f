import { html } from '@figbase/kit/text'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { isVersion, newest, type Version, versions } from '../../versions.js'
import { page } from '../page.js'
import { assetPath, referenceAssets } from './assets.js'
import { referenceToken } from './token.js'

/** The reference of the API, in which requests can be sent. */
const reference = page(
  '/docs/api/',
  async (input) => {
    const version = versionOf(input)
    const links = versions.map((one) =>
      one === version
        ? html`<a href="?version=${one}" aria-current="page">${one}</a> `
        : html`<a href="?version=${one}">${one}</a> `,
    )
    return {
      title: `API ${version}`,
      content: html`<h1>Reference of the API</h1>
<nav aria-label="Versions">Version: ${links}</nav>
<p>${whoOf(input)} The <a href="/api/${version}/openapi.json">OpenAPI document</a> of this version; the
<a href="/docs/">guide</a> explains the API.</p>
<div class="reference" id="reference" data-document="/api/${version}/openapi.json"
data-signed-in="${input.username}"></div>
<noscript><p>The reference needs JavaScript.</p></noscript>`,
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

const whoOf = ({ username }: Input) =>
  username
    ? html`Requests that you send here are sent as <b>${username}</b>, with your session.`
    : html`<a href="/sign-in/?next=/docs/api/">Sign in</a> to send requests, or enter a token below.`

export const referencePages: Route[] = [reference, referenceAssets, referenceToken]
