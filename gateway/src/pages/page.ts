import { createHash } from 'node:crypto'
import type { Response } from 'express'

const style = `
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1d2733; background: #f4f6f9; }
main { max-width: 36rem; margin: 8vh auto; padding: 2rem; background: #fff; border-radius: .75rem;
       box-shadow: 0 1px 4px #0002; }
h1 { margin-top: 0; font-size: 1.5rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; background: #f4f6f9; border-radius: .375rem; }
pre { padding: .75rem; overflow-x: auto; }
code { padding: .1rem .25rem; }
pre code { padding: 0; }`

const styleHash = createHash('sha256').update(style).digest('base64')

/** A page of our own words: nothing runs on it, and nothing of its address is shown. */
export function sendPage(res: Response, title: string, content: string): void {
  res
    .set('content-security-policy', `default-src 'none'; style-src 'sha256-${styleHash}'`)
    .set('cache-control', 'no-store')
    .type('html')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Figbase</title>` +
        `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>` +
        `<body><main><h1>${title}</h1>${content}</main></body></html>`,
    )
}
