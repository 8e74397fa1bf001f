/** The errors of routes that ask a language model. */
export const aiErrors = {
  429: ['ai_quota_exceeded', 'ai_rate_exceeded'],
  502: ['ai_failed'],
  503: ['ai_disabled', 'ai_overloaded'],
  504: ['ai_timeout', 'ai_too_long'],
}
