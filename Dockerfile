# uwbmc and nothing else: docker build -t uwbmc . && docker run --rm -v "$PWD":/models uwbmc lock.smv --k 12
FROM rust:1-slim-bookworm AS build
RUN apt-get update -q && apt-get install -yq --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /uwbmc
COPY . .
RUN cargo install --locked --path . --root /out

FROM debian:bookworm-slim
RUN apt-get update -q && apt-get install -yq --no-install-recommends libstdc++6 && rm -rf /var/lib/apt/lists/*
COPY --from=build /out/bin/uwbmc /usr/local/bin/uwbmc
WORKDIR /models
ENTRYPOINT ["uwbmc"]
