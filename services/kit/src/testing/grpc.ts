export { createGrpcClient, type GrpcClient, type GrpcMessage } from './grpc-client.js'
export { type GrpcFailure, grpcFailureOf } from './grpc-failure.js'
