import { createHash } from 'node:crypto'
import type { Page } from './page.js'
import { style } from './style.js'

const styleHash = createHash('sha256').update(style).digest('base64')

/** The content security policy of a page forbids external resources, and scripts in the page. */
export const policyFor = ({ hasForm, assets, connects }: Page): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'${assets?.styles.length ? " 'self'" : ''}`,
    "script-src 'self'",
    ...(assets || connects ? ["connect-src 'self'"] : []),
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')
