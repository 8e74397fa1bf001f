export { userWithKey } from './api-key.js'
export { createTestDatabase, type TestDatabase } from './database.js'
export { type Family, parseExposition, type Sample, sampleValue } from './exposition.js'
export { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.js'
export {
  type Claims,
  type OpenIdProvider,
  type OpenIdProviderOptions,
  type ProviderKey,
  signInAtProvider,
  signInByDevice,
  startOpenIdProvider,
} from './openid-provider.js'
export { assertUses, plansOf } from './plans.js'
export { randomFrom } from './random.js'
export { type RedisServer, startRedisServer, whyWithoutRedis } from './redis-server.js'
export { type S3Server, startS3Server, whyWithoutS3 } from './s3-server.js'
export { startTestService, type TestService, type TestServiceOptions } from './service.js'
export { createVisitor, type Visited, type Visitor } from './visitor.js'
