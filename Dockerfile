# The program on a small Debian:
#
#     docker build -t hashfall .
#     docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" hashfall scenes/dam_break.ron
#
# Films as MP4 need ffmpeg, which is larger than all of this: add it where you want it.
FROM rust:1-slim-bookworm AS build
WORKDIR /src
COPY . .
# There is no git in here to ask.
ARG REVISION=unknown
ENV HASHFALL_REVISION=$REVISION
RUN cargo build --locked --profile dist --features parquet --bin sim

FROM debian:bookworm-slim
COPY --from=build /src/target/dist/sim /usr/local/bin/sim
COPY LICENSE-APACHE LICENSE-MIT /usr/local/share/doc/hashfall/
# Frames land where the caller's folder is mounted.
WORKDIR /work
ENTRYPOINT ["sim"]
CMD ["--help"]
