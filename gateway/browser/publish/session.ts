import { createFigbase, type Figbase } from '@figbase/client'

/** Before its end, a token is replaced. */
const marginMs = 30_000
let token = { access: '', endsAt: 0 }

/** The API, as the user of the session of the browser. */
export const figbase: Figbase = createFigbase({
  url: location.origin,
  fetch: async (url, init) => {
    if (token.endsAt - marginMs < Date.now()) {
      const response = await fetch('/session/token/', { method: 'POST' })
      if (!response.ok) return response
      const { access, expires_in_seconds } = await response.json()
      token = { access, endsAt: Date.now() + expires_in_seconds * 1000 }
    }
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${token.access}`)
    return fetch(url, { ...init, headers })
  },
})
