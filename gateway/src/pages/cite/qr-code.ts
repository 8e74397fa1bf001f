import { type Html, html } from '@figbase/kit/text'
import encodeQR from 'qr'

/** A drawing of a QR code with its margin. It is dark on white in dark mode, too. */
export function qrCode(text: string, label: Html): Html {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 2 })
  const side = String(modules.length)
  const path = modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"></rect><path d="${path}" fill="#000"></path></svg>`
}
