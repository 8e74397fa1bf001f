import { findRenderers } from '../src/images/renderers.js'

export const renderers = findRenderers('')

/** Why a test is skipped if the renderer is missing. */
export function without(format: 'pdf' | 'eps'): string | false {
  if (renderers[format]) return false
  const program = format === 'pdf' ? 'pdftocairo (poppler-utils)' : 'gs (ghostscript)'
  if (process.env.FIGBASE_CI) throw new Error(`${program} is missing: .ci/run installs it`)
  return `${program} is not installed`
}
