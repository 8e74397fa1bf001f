export { createTestDatabase, type TestDatabase } from './database.js'
export { createGrpcClient, type GrpcClient, type GrpcMessage } from './grpc-client.js'
export { type GrpcFailure, grpcFailureOf } from './grpc-failure.js'
export { startTestService, type TestService } from './service.js'
