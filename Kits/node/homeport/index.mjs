import homeport from './index.cjs';

export const { Backend, HomeportError, Server, World, connect, findProgram, startHomeport, world } = homeport;
