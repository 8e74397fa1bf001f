import type { Site } from '@figbase/kit/rpc'
import { Html, html } from '@figbase/kit/text'
import type { Texts } from '../texts/texts.js'
import type { Page } from './page.js'
import { scriptPath } from './script.js'
import { style } from './style.js'
import { nameHtml } from './text.js'

/** What the frame of a page depends on, beside the page. */
export type FrameInput = {
  site: Site
  texts: Texts
  /** Empty if nobody is signed in. */
  username: string
}

type Options = {
  /** Elements of the head. */
  head: Html
  /** The address of the sign-in page. */
  signIn: string
}

const none = html``
/** Safe: it is fixed, and its hash is in the policy. */
const styleHtml = new Html(style)

/** The document of a page: its head, the header, the announcement and the footer. */
export function framed(
  { title, content, assets }: Page,
  { head, signIn }: Options,
  { site, texts, username }: FrameInput,
): string {
  const { t, locale } = texts
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><title>${title} · ${site.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<link rel="icon" href="${icon}">${head}<style>${styleHtml}</style>${linksOf(assets)}</head>
<body><a class="skip" href="#main">${t('frame.skip')}</a>
<header><a href="/">${nameHtml(site.name)}</a>
<nav aria-label="${t('frame.navigation')}"><a href="/docs/">${t('frame.guide')}</a>
${username ? html`<a href="/account/">${nameHtml(username)}</a>` : html`<a href="${signIn}">${t('frame.signIn')}</a>`}</nav></header>
${noticeOf(site)}<main id="main" tabindex="-1">${content}</main>
<footer><nav aria-label="${t('frame.more')}"><a href="/docs/api/">${t('frame.reference')}</a></nav></footer></body></html>
`.toString()
}

const linksOf = (assets: Page['assets']) =>
  html`${(assets?.styles ?? []).map((path) => html`<link rel="stylesheet" href="${path}">`)}${[scriptPath, ...(assets?.scripts ?? [])].map((path) => html`<script src="${path}" defer></script>`)}`

/** The announcement of the administrators. */
const noticeOf = ({ announcement }: Site) =>
  announcement ? html`<p class="notice" role="status" dir="auto">${announcement}</p>` : none

const icon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 8 8%22%3E' +
  '%3Crect width=%228%22 height=%228%22 rx=%222%22 fill=%22%232563a8%22/%3E' +
  '%3Cpath d=%22M1.5 6 3.5 3l1.5 1.5L6.5 2%22 fill=%22none%22 stroke=%22white%22/%3E%3C/svg%3E'
