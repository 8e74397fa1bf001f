import type { Logger } from '@figbase/kit/log'
import type { AiConfig } from './config.js'
import { aiTimedOut, aiTookTooLong } from './errors.js'
import type { Model } from './port.js'
import type { Sdk } from './sdk.js'
import { createWatch } from './watch.js'

/** The language models of the settings; undefined without a provider. */
export function openModel(cfg: AiConfig, log: Logger): Model | undefined {
  if (cfg.provider === 'none') return undefined
  // Loaded with the first request: the SDK takes half a second of CPU time, and 60 MB.
  let sdk: Promise<Sdk> | undefined
  const load = () => {
    sdk ??= import('./sdk.js').then(({ openSdk }) => openSdk(cfg))
    return sdk
  }
  return {
    async *stream(request) {
      const { partsOf, failureOf } = await load()
      using watch = createWatch(request.signal, cfg)
      try {
        for await (const part of partsOf(request, watch.signal)) {
          watch.pause()
          if (part) yield part
          watch.wait()
        }
      } catch (thrown) {
        request.signal.throwIfAborted()
        if (watch.givenUp) throw watch.givenUp === 'silent' ? aiTimedOut() : aiTookTooLong()
        const { error, ...facts } = failureOf(thrown)
        log.warn({ model: request.model, ...facts }, 'language model failed')
        throw error
      }
    },
  }
}
