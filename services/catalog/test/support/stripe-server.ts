import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>
type Stored = Json & { id: string; metadata: Record<string, string> }

/** How the next matching request goes wrong. `lost`: it has its effect, and the connection ends without a response. */
export type Fault = { path: RegExp; kind: 'error' | 'lost' | 'declined' }

export type Request = { method: string; path: string; key: string | undefined; body: Json }

/** A stand-in for the API of Stripe, with its wire protocol: forms, ids, idempotency keys, errors, signed events. */
export type StripeServer = AsyncDisposable & {
  url: string
  requests: Request[]
  faults: Fault[]
  objects: Map<string, Stored>
  /** Keys are forgotten, as Stripe does after a day. */
  forgetKeys(): void
  /** All objects of a kind, in the order of their creation. */
  all(prefix: string): Stored[]
  /** The body and the signature of an event about the present state of an object. */
  event(
    type: string,
    object: Stored,
    options?: EventOptions,
  ): { payload: Buffer; signature: string }
}

type EventOptions = { id?: string; secret?: string; ageSeconds?: number }

export const webhookSecret = 'whsec_of_the_tests'
export const secretKey = 'sk_test_of_the_tests'
const apiVersion = '2026-10-28.endive'

export async function startStripeServer(): Promise<StripeServer> {
  const objects = new Map<string, Stored>()
  const answers = new Map<string, { status: number; body: Json; sent: string }>()
  const requests: Request[] = []
  const faults: Fault[] = []
  const server = createServer((req, res) => void answer(req, res))

  async function answer(req: IncomingMessage, res: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const url = new URL(req.url ?? '/', 'http://stripe')
    const key = req.headers['idempotency-key'] as string | undefined
    const path = url.pathname
    const body = parseForm(text || url.search.slice(1))
    requests.push({ method: req.method ?? '', path, key, body })
    const send = (status: number, content: Json) => {
      res.writeHead(status, {
        'content-type': 'application/json',
        'request-id': `req_${requests.length}`,
      })
      res.end(JSON.stringify(content))
    }
    const problem = problemOf(req)
    if (problem) return send(problem[0], errorOf(problem[1], problem[2]))
    const at = faults.findIndex((fault) => fault.path.test(`${req.method} ${path}`))
    const [fault] = at >= 0 ? faults.splice(at, 1) : []
    if (fault?.kind === 'error') return send(500, errorOf('api_error', 'an error of the test'))
    if (fault?.kind === 'declined') return send(402, errorOf('card_error', 'declined'))
    const known = key ? answers.get(key) : undefined
    if (known && known.sent !== path + text) {
      return send(400, errorOf('idempotency_error', 'the key was used with other parameters'))
    }
    const result = known ?? { ...handle(req.method ?? '', path, body), sent: path + text }
    if (key && req.method === 'POST') answers.set(key, result)
    if (fault?.kind === 'lost') return void req.socket.destroy()
    send(result.status, result.body)
  }

  function problemOf(req: IncomingMessage): [number, string, string] | undefined {
    if (req.headers.authorization !== `Bearer ${secretKey}`) {
      return [401, 'invalid_request_error', 'Invalid API Key provided']
    }
    if (req.headers['stripe-version'] !== apiVersion) {
      return [400, 'invalid_request_error', `wrong version ${req.headers['stripe-version']}`]
    }
    const type = req.headers['content-type']
    if (req.method === 'POST' && type !== 'application/x-www-form-urlencoded') {
      return [400, 'invalid_request_error', `wrong type ${type}`]
    }
    return undefined
  }

  const create = (prefix: string, object: string, values: Json): Stored => {
    const id = `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}`
    const stored = { id, object, created: 1, metadata: {}, ...values } as Stored
    objects.set(id, stored)
    return stored
  }
  const all = (prefix: string) =>
    [...objects.values()].filter(({ id }) => id.startsWith(`${prefix}_`))
  const ok = (body: Json) => ({ status: 200, body })
  const missing = (id: string) => ({
    status: 404,
    body: errorOf('invalid_request_error', `No such object: ${id}`),
  })
  const list = (data: Json[]) => ok({ object: 'list', data, has_more: false })

  function handle(method: string, path: string, body: Json): { status: number; body: Json } {
    const [, , resource = '', id = '', action = ''] = path.split('/')
    const route = `${method} ${resource}${id && '/…'}${action && `/${action}`}`
    const found = objects.get(id)
    const customer = () => objects.get(String(body.customer))
    switch (route) {
      case 'POST customers':
        return ok(
          create('cus', 'customer', {
            invoice_settings: { default_payment_method: null },
            ...body,
          }),
        )
      case 'GET customers/…':
        return found ? ok(found) : missing(id)
      case 'POST customers/…':
        return found ? ok(Object.assign(found, body)) : missing(id)
      case 'GET customers/…/payment_methods':
        return list(
          all('pm')
            .filter((method) => method.customer === id)
            .reverse(),
        )
      case 'GET invoices':
        return list(
          all('in')
            .filter((invoice) => invoice.customer === body.customer)
            .reverse(),
        )
      case 'POST invoices': {
        const payer = customer()
        if (!payer) return missing(String(body.customer))
        if (body.collection_method === 'send_invoice' && !payer.email) {
          return { status: 400, body: errorOf('invalid_request_error', 'Missing email') }
        }
        if (all('in').some(({ number }) => number === body.number)) {
          return {
            status: 400,
            body: errorOf('invalid_request_error', 'Invoice number is not unique'),
          }
        }
        return ok(
          create('in', 'invoice', {
            status: 'draft',
            attempted: false,
            hosted_invoice_url: null,
            status_transitions: { paid_at: null },
            ...body,
            total: 0,
          }),
        )
      }
      case 'GET invoices/…':
        return found ? ok(found) : missing(id)
      case 'POST invoiceitems': {
        const invoice = objects.get(String(body.invoice))
        if (invoice?.status !== 'draft') {
          return {
            status: 400,
            body: errorOf('invalid_request_error', 'the invoice is not a draft'),
          }
        }
        invoice.total = Number(invoice.total) + Number(body.amount)
        return ok(create('ii', 'invoiceitem', body))
      }
      case 'POST invoices/…/finalize':
        if (!found) return missing(id)
        if (found.status !== 'draft') {
          return { status: 400, body: errorOf('invalid_request_error', 'already finalized') }
        }
        return ok(
          Object.assign(found, {
            status: 'open',
            hosted_invoice_url: `https://invoice.stripe.test/${id}`,
          }),
        )
      case 'GET credit_notes':
        return list(all('cn').filter((note) => note.invoice === body.invoice))
      case 'POST credit_notes':
        return ok(create('cn', 'credit_note', body))
      case 'POST checkout/…':
        return ok(
          create('cs_test', 'checkout.session', { url: 'https://checkout.stripe.test/c', ...body }),
        )
      case `GET checkout/…/${action}`: {
        const session = objects.get(action)
        return session ? ok(session) : missing(action)
      }
      case 'POST billing_portal/…':
        return ok(
          create('bps', 'billing_portal.session', {
            url: 'https://billing.stripe.test/p',
            ...body,
          }),
        )
      default:
        return {
          status: 404,
          body: errorOf('invalid_request_error', `Unrecognized request URL (${method}: ${path})`),
        }
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    faults,
    objects,
    forgetKeys: () => answers.clear(),
    all,
    event(
      type,
      object,
      { id = `evt_${randomUUID()}`, secret = webhookSecret, ageSeconds = 0 } = {},
    ) {
      const event = { id, object: 'event', api_version: apiVersion, type, data: { object } }
      const payload = Buffer.from(JSON.stringify(event))
      const at = Math.floor(Date.now() / 1000) - ageSeconds
      const signed = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')
      return { payload, signature: `t=${at},v1=${signed}` }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const errorOf = (type: string, message: string): Json => ({ error: { type, message } })

/** `metadata[a]=b` and `c=d` as an object. */
function parseForm(text: string): Json {
  const body: Json = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.replaceAll(']', '').split('[')
    let at = body
    let key = first
    for (const next of rest) {
      at[key] ??= {}
      at = at[key] as Json
      key = next
    }
    at[key] = value
  }
  return body
}
